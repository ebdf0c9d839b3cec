"""Empty lessons and steps."""

from attnviz.experiment.files.session import Session
from attnviz.experiment.lessons.lesson import Block, Head, Lesson, LessonStep


def new_lesson(title: str) -> Lesson:
    """Return a lesson without steps."""
    return Lesson(name="", title=title, about="", head=Head(), steps=())


def new_step(title: str, session: Session) -> LessonStep:
    """Return a step that shows the spec and the view of a session."""
    shown = Session(spec=session.spec, view=session.shown_view)
    return LessonStep(number=1, line=1, title=title, text="", session=shown, block=Block())
