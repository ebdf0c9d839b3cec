"""Records by name: added, found, refused, taken out; and specs that name them."""

from dataclasses import dataclass
from typing import Annotated

import pytest
from pydantic import BaseModel, ValidationError

from attnviz.definitions.registry import Registry
from attnviz.experiment.fields.knob import OneOf, knob


@dataclass(frozen=True)
class Fruit:
    name: str
    title: str


FRUITS = Registry("fruit", [Fruit("apple", "Apple"), Fruit("pear", "Pear")])


class Basket(BaseModel):
    fruit: Annotated[str, OneOf(FRUITS)] = knob("apple", "Fruit", "What lies in it.", group="Fruit")


def test_that_records_are_kept_in_the_order_they_were_added_and_a_name_is_taken_once() -> None:
    fruits = Registry("fruit", [Fruit("b", "B")])
    fruits.add(Fruit("a", "A"))
    assert list(fruits) == ["b", "a"]
    assert fruits["a"].title == "A"
    with pytest.raises(ValueError, match="there is a fruit 'a' already"):
        fruits.add(Fruit("a", "another"))
    fruits.remove("b")
    assert list(fruits) == ["a"]
    with pytest.raises(KeyError, match="there is no fruit 'b'; there are a"):
        fruits["b"]


def test_that_a_field_takes_a_name_as_long_as_its_record_is_registered() -> None:
    with pytest.raises(ValidationError):
        Basket(fruit="fig")
    FRUITS.add(Fruit("fig", "Fig"))
    assert Basket(fruit="fig").fruit == "fig"
    FRUITS.remove("fig")
    with pytest.raises(ValidationError):
        Basket(fruit="fig")


@pytest.mark.parametrize("value", ["aple", 5, None, ["apple"]])
def test_that_a_wrong_name_is_the_error_of_a_literal_whatever_its_type(value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Basket.model_validate({"fruit": value})
    (error,) = caught.value.errors()
    assert (error["type"], error["ctx"]["expected"]) == ("literal_error", "'apple' or 'pear'")
