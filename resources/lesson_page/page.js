"use strict";
(() => {
  const words = document.body.dataset;
  const root = document.documentElement;
  const steps = [...document.querySelectorAll(".step")];
  const links = [...document.querySelectorAll("#places a")];
  const byId = (name) => document.getElementById(name);
  const filled = (text, ...parts) => parts.reduce((said, part, at) => said.replace(`{${at}}`, part), text);
  let now = 0;

  const asks = (step) => step.classList.contains("open");

  function show(place, focus = true) {
    now = Math.min(Math.max(place, 0), steps.length - 1);
    steps.forEach((step, at) => step.classList.toggle("now", at === now));
    links.forEach((link, at) => {
      if (at === now) { link.setAttribute("aria-current", "step"); } else { link.removeAttribute("aria-current"); }
    });
    links[now].classList.add("seen");
    tell();
    if (root.classList.contains("every")) { steps[now].scrollIntoView(); } else { window.scrollTo(0, 0); }
    if (focus) { steps[now].focus({ preventScroll: true }); }
    try { history.replaceState(null, "", `#${now + 1}`); } catch { /* some browsers refuse it for files */ }
  }

  function tell() {
    byId("back").disabled = now === 0;
    byId("next").disabled = now === steps.length - 1 && !asks(steps[now]);
    byId("next").textContent = asks(steps[now]) ? words.show : words.next;
  }

  function reveal(step, said) {
    step.classList.remove("open");
    const verdict = step.querySelector(".verdict");
    if (verdict && said) { verdict.textContent = said; }
    step.querySelectorAll(".question button, .question input, .cells button").forEach((each) => { each.disabled = true; });
    step.querySelectorAll(".choice[data-right]").forEach((each) => each.classList.add("right"));
    tell();
  }

  function choose(step, button) {
    if (!asks(step) || !button) { return; }
    const right = "right" in button.dataset;
    if (!right) { button.classList.add("wrong"); }
    button.setAttribute("aria-pressed", "true");
    reveal(step, right ? words.right : words.wrong);
  }

  function guess(step) {
    const asked = step.querySelector(".question").dataset;
    const typed = step.querySelector(".guess input").value.trim();
    const value = Number(typed.replace(",", ".").replace("\u2212", "-"));
    const problem = step.querySelector(".problem");
    if (typed === "" || !Number.isFinite(value)) { problem.textContent = filled(words.noNumber, typed); return; }
    problem.textContent = "";
    const near = Math.abs(value - Number(asked.number)) <= Number(asked.within) * (1 + 1e-9);
    reveal(step, filled(near ? words.rightNumber : words.otherNumber, typed, asked.said));
  }

  function compare(step) {
    let differ = 0;
    step.querySelectorAll(".cells button").forEach((cell) => {
      if ((cell.getAttribute("aria-pressed") === "true") !== (cell.dataset.true === "1")) {
        cell.classList.add("wrong");
        differ += 1;
      }
    });
    reveal(step, differ === 0 ? words.everyCell : filled(words.cellsDiffer, differ));
  }

  function giveUp(step) {
    const question = step.querySelector(".question");
    reveal(step, "number" in question.dataset ? filled(words.itIs, question.dataset.said) : "");
  }

  function on() {
    if (asks(steps[now])) { giveUp(steps[now]); } else { show(now + 1); }
  }

  function mark(cell) {
    const is = cell.getAttribute("aria-pressed") !== "true";
    cell.setAttribute("aria-pressed", String(is));
    cell.textContent = is ? "✓" : "?";
  }

  function moveIn(table, cell, key) {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("button")]);
    const down = rows.findIndex((row) => row.includes(cell));
    const across = rows[down].indexOf(cell);
    const [y, x] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
    const next = (rows[down + y] || [])[across + x];
    if (next) { next.focus(); }
  }

  steps.forEach((step) => {
    if (step.querySelector(".question")) { step.classList.add("open"); }
    step.querySelectorAll(".choice").forEach((each) => each.addEventListener("click", () => choose(step, each)));
    step.querySelectorAll(".cells button").forEach((each) => each.addEventListener("click", () => mark(each)));
    step.querySelectorAll(".show-answer").forEach((each) => each.addEventListener("click", () => giveUp(step)));
    step.querySelectorAll(".compare").forEach((each) => each.addEventListener("click", () => compare(step)));
    step.querySelectorAll(".guess").forEach((each) => each.addEventListener("submit", (event) => {
      event.preventDefault();
      guess(step);
    }));
    step.querySelectorAll(".solve").forEach((each) => each.addEventListener("click", () => {
      each.textContent = step.classList.toggle("solved") ? words.restore : words.solve;
    }));
  });
  byId("back").addEventListener("click", () => show(now - 1));
  byId("next").addEventListener("click", on);
  byId("every").addEventListener("click", () => {
    const every = root.classList.toggle("every");
    byId("every").setAttribute("aria-pressed", String(every));
    show(now);
  });
  links.forEach((link, at) => link.addEventListener("click", (event) => { event.preventDefault(); show(at); }));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    const target = event.target;
    const types = target.tagName === "INPUT";
    const arrow = event.key.startsWith("Arrow");
    if (arrow && target.closest(".cells")) {
      moveIn(target.closest(".cells"), target, event.key);
    } else if (event.key === "PageDown" || (event.key === "ArrowRight" && !types)) {
      on();
    } else if (event.key === "PageUp" || (event.key === "ArrowLeft" && !types)) {
      show(now - 1);
    } else if (event.key === "Home" && !types) {
      show(0);
    } else if (event.key === "End" && !types) {
      show(steps.length - 1);
    } else if (event.key === "Enter" && target.closest(".step, body") && !target.closest("button, input, summary, a")) {
      on();
    } else if (/^[a-f]$/i.test(event.key) && !types) {
      choose(steps[now], steps[now].querySelectorAll(".choice")["abcdef".indexOf(event.key.toLowerCase())]);
      return;
    } else {
      return;
    }
    event.preventDefault();
  });

  root.classList.add("js");
  show((Number.parseInt(location.hash.slice(1), 10) || 1) - 1, false);
})();
