"""Label Studio's exports: JSON, an array of tasks with all their annotations and predictions, and JSON-MIN.

A region is a mention; items with its id add labels, or attributes named after their control. Choices without a region
are metadata, as are the columns of a task. JSON-MIN has one object per annotation, without ids, relations or
predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.labelstudio.texts import DialogueText, HtmlText, RegionText
from karat.formats.parts.annotators import EACH, Annotators, annotator_option
from karat.formats.parts.assembly import Assembly, Fresh
from karat.formats.parts.capacity import AllBut, Capacity, plain_id, values_of
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, read_as, text_of, texts_of
from karat.formats.parts.offset_units import NOUNS, Unit
from karat.formats.parts.unread_names import Unread
from karat.model import Document, Span
from karat.settings import choice, option

_REGIONS = {"labels": "plain", "hypertextlabels": "html", "paragraphlabels": "dialogue"}
_BESIDES = ("choices", "textarea", "taxonomy", "rating", "number", "datetime")
"""Types of items that say something of a region or of the task, and have no place of their own."""
_RANKINGS = ("pairwise", "ranker")
_TEXT_KEYS = {"plain": ("text",), "html": ("html", "text"), "dialogue": ("dialogue", "paragraphs")}
Take = Literal["annotations", "predictions", "drafts"]


@dataclass(frozen=True)
class LabelStudioOptions:
    """Which annotations of a task are read."""

    take: Take = choice(("annotations", "predictions", "drafts"), "which results of a task are read")
    annotator: str = annotator_option()
    from_name: str = option("", "the control whose results are read; unless named: all", metavar="NAME")
    layers: Literal["", "from_name"] = choice(("", "from_name"), "whether the control is the layer of a mention")


class _Result(msgspec.Struct):
    type: str
    id: str | int | None = None
    value: dict[str, Any] = {}
    from_name: str = ""
    to_name: str | list[str] = ""
    score: float | None = None
    meta: Any = None
    from_id: str | int | None = None
    to_id: str | int | None = None
    direction: str | None = None
    labels: list[str] | None = None


class _Annotation(msgspec.Struct):
    result: list[_Result]
    completed_by: Any = None
    was_cancelled: bool | None = False
    score: float | None = None
    model_version: Any = None


class _Task(msgspec.Struct):
    data: dict[str, Any]
    id: str | int | None = None
    annotations: list[_Annotation] | None = None
    completions: list[_Annotation] | None = None
    predictions: list[_Annotation] | None = None
    drafts: list[_Annotation] | None = None


class _Minimal(msgspec.Struct):
    annotator: Any
    annotation_id: Any = None
    id: str | int | None = None


_OF_PROJECT = frozenset(
    (
        *("meta", "project", "inner_id", "file_upload", "lead_time"),
        *("created_at", "created_by", "updated_at", "updated_by"),
        *("total_annotations", "cancelled_annotations", "total_predictions"),
        *("comment_count", "unresolved_comment_count", "last_comment_updated_at", "comment_authors"),
    )
)
"""Keys about the project that a task was in, which are not read."""
_KEYS = fields_of(_Task) | _OF_PROJECT
_MINIMAL_KEYS = fields_of(_Minimal) | _OF_PROJECT
_INNER_KEYS = fields_of(_Annotation, _Result) | {*_REGIONS, *_BESIDES, "start", "end", "text"}
_CONTROL = "from_name"
_CAPACITY = Capacity(
    "labelstudio",
    labels=(0, 1000),
    relations=True,
    metadata=AllBut(("text",)),
    attributes=(_CONTROL, "score"),
    relation_attributes=("direction",),
)


class _Answer(NamedTuple):
    """An annotation or prediction of a task."""

    annotator: str
    results: list[_Result]
    metadata: dict[str, str]


def read(path: str, *, problems: Problems, want: Want, options: LabelStudioOptions) -> Iterator[Document]:
    """Yield a document for each task or, with several annotators, for each of them."""
    del want
    unread, annotators = Unread(_INNER_KEYS, free=("data", "meta")), Annotators(options.annotator)
    foreign, controls = 0, dict[str, None]()

    def build(item: JsonItem) -> Iterator[Document]:
        nonlocal foreign
        if item.has("annotation_id") and not item.has("data"):
            name, data, answer = _minimal(item)
            answers, extra = [answer], dict[str, str]()
        else:
            task = item.read(_Task)
            unread.look(item.value, _KEYS)
            name, data = item.named(task.id), task.data
            answers = _answers(task, name, options.take, item)
            extra = texts_of(item.value, _KEYS)
            if item.value.get("meta"):
                extra["meta"] = text_of(item.value["meta"])
        admitted = [answer for answer in answers if annotators.admit(answer.annotator)]
        if len(admitted) > 1 and options.annotator != EACH:
            annotators.refuse(name, [answer.annotator for answer in admitted])
        fresh = Fresh()
        if answers and not admitted:
            foreign += 1
        for answer in admitted:
            regions = (result.value for result in answer.results if result.type in _REGIONS)
            unread.compare("region", regions, ("text",))
            controls.update(dict.fromkeys(result.from_name for result in answer.results if result.from_name))
        for answer in admitted if answers else [_Answer("", [], {})]:
            given = fresh.name(annotators.name(name, answer.annotator) if answers else name)
            yield _document(given, data, answer, extra, item, options)

    yield from documents_of(path, problems, build, unread)
    annotators.report(path, problems)
    if options.from_name and controls and options.from_name not in controls:
        names = ", ".join(map(shown, controls))
        problems.error(path, None, f"no control is called {shown(options.from_name)}; the controls are {names}")
    if foreign:
        message = f"{many(foreign, 'task')} without annotations of {shown(options.annotator)} left out"
        problems.repair(path, None, message)


def _answers(task: _Task, name: str, take: Take, item: JsonItem) -> list[_Answer]:
    """Return the annotations or predictions of a task, except skipped ones."""
    taken = getattr(task, take) or (task.completions if take == "annotations" else None) or []
    answers = []
    for annotation in taken:
        if annotation.was_cancelled:
            continue
        author = annotation.model_version if take == "predictions" else annotation.completed_by
        if isinstance(author, dict):
            author = author.get("email") or author.get("id")
        scores = {"model_version": annotation.model_version, "score": annotation.score}
        metadata = texts_of(scores) if take == "predictions" else {}
        answers.append(_Answer("" if author is None else text_of(author), annotation.result, metadata))
    for other in ("predictions", "drafts") if not answers and take == "annotations" else ():
        if unread := getattr(task, other):
            size = many(len(unread), other.removesuffix("s"))
            item.repair(f"task {name} has no annotation; it has {size}: read them with --read take={other}")
    if taken and not answers:
        item.drop("tasks that were skipped", f"task {name} was skipped; it is read as one without annotations")
    elif not taken:
        item.problems.count(f"task without {take}")
    return answers


def _minimal(item: JsonItem) -> tuple[str, dict[str, Any], _Answer]:
    """Return the id, the columns and the annotation of an object of JSON-MIN."""
    head = item.read(_Minimal)
    data: dict[str, Any] = {}
    results: list[_Result] = []
    for key, value in item.value.items():
        if key in _MINIMAL_KEYS:
            continue
        regions = objects(value)
        kind = next((kind for kind in _REGIONS if regions and kind in regions[0]), "")
        if kind:
            results += [_Result(kind, value=region, from_name=key) for region in regions]
        else:
            data[key] = value
    return item.named(head.id), data, _Answer("" if head.annotator is None else text_of(head.annotator), results, {})


def _document(
    name: str, data: dict[str, Any], answer: _Answer, extra: dict[str, str], item: JsonItem, options: LabelStudioOptions
) -> Document:
    """Return the document of one annotation of a task."""
    results = [result for result in answer.results if options.from_name in ("", result.from_name)]
    regions = [result for result in results if _is_region(result)]
    ground, key = _ground(data, regions, results)
    unit = _unit(ground, regions, name, item)
    assembly = Assembly(name, ground.text, metadata=extra | texts_of(data, (key,)) | answer.metadata)
    merged: dict[str, list[_Result]] = {}
    for index, result in enumerate(regions):
        merged.setdefault(f"#{index}" if result.id is None else str(result.id), []).append(result)
    remarks: dict[str, dict[str, str]] = {}
    for result in results:
        if result.type in _BESIDES:
            owner = str(result.id) if str(result.id) in merged else ""
            remark = result.value.get("text" if result.type == "textarea" else result.type)
            remarks.setdefault(owner, {})[result.from_name] = text_of(remark)
        elif result.type in _RANKINGS:
            what = f"a result of the type {shown(result.type)}"
            item.drop(what, f"task {name}: {what} is not read")
    for region, parts in merged.items():
        _add_region(assembly, ground, unit, parts, remarks.get(region, {}), options)
    assembly.document.metadata |= remarks.get("", {})
    known = {str(result.id) for result in answer.results if result.id is not None}
    for result in answer.results:
        if result.type == "relation":
            _relate(assembly, result, set(merged), known, item.problems)
    return assembly.document


def _add_region(
    assembly: Assembly,
    ground: RegionText,
    unit: Unit,
    parts: list[_Result],
    remarks: dict[str, str],
    options: LabelStudioOptions,
) -> None:
    """Add the mention of a region, which may have labels of several controls."""
    first = parts[0]
    places = {_place(ground, part, unit) for part in parts}
    if len(places) > 1:
        raise InputError(f"region {shown(str(first.id))} stands in {len(places)} places; give each an id of its own")
    attributes = texts_of({_CONTROL: first.from_name or None, "score": first.score, "meta": first.meta})
    assembly.mention(
        places,
        dict.fromkeys(label for part in parts for label in read_as(part.value.get(part.type) or [], list[str])),
        name="" if first.id is None else str(first.id),
        layer=first.from_name if options.layers else "",
        attributes=attributes | remarks,
    )


def _place(ground: RegionText, region: _Result, unit: Unit) -> Span:
    try:
        return ground.place(region.value, unit)
    except InputError as error:
        raise InputError(f"region {shown(str(region.id))}: {error.message}") from None


def _is_region(result: _Result) -> bool:
    """Tell whether a result is a span of text; one in an image or audio is an error."""
    if result.type in (*_BESIDES, *_RANKINGS, "relation"):
        return False
    if result.type not in _REGIONS or isinstance(result.value.get("start"), float) or "channel" in result.value:
        raise InputError(f"a region of the type {shown(result.type)} is not on a text")
    return True


def _ground(data: dict[str, Any], regions: list[_Result], results: list[_Result]) -> tuple[RegionText, str]:
    """Return the text of a task and its column.

    That is the column that results name, one with a usual name, the only one, or the only one with the stated texts.
    """
    kinds = {_REGIONS[region.type] for region in regions} or {"plain"}
    if len(kinds) > 1:
        raise InputError("regions are on texts of several kinds; choose a control with --read from_name=NAME")
    (kind,) = kinds
    objects_named = sorted({text_of(region.to_name) for region in regions})
    if len(objects_named) > 1:
        names = " and ".join(map(shown, objects_named))
        raise InputError(f"regions are on the texts {names}; choose a control with --read from_name=NAME")
    columns = [key for key, value in data.items() if (objects(value) if kind == "dialogue" else isinstance(value, str))]
    named = dict.fromkeys(result.to_name for result in (regions or results) if isinstance(result.to_name, str))
    usual = [key for key in (*named, *_TEXT_KEYS[kind]) if key in columns]
    candidates = usual[:1] or columns
    if len(candidates) > 1 and regions:
        stated = _stated(regions)
        candidates = [key for key in columns if stated and _fitting(_text(data[key], kind), stated) is not None]
    if len(candidates) != 1 and regions:
        column_names = ", ".join(map(shown, data)) or "none"
        raise InputError(
            f"which column holds the text? Expected one called 'text', or one text only; there are {column_names}"
        )
    return (_text(data[candidates[0]], kind), candidates[0]) if candidates else (RegionText(""), "")


def _text(value: Any, kind: str) -> RegionText:
    if kind == "dialogue":
        return DialogueText([text_of(turn.get("text") or "") for turn in value])
    return HtmlText(value) if kind == "html" else RegionText(value)


def _stated(regions: list[_Result]) -> list[tuple[_Result, str]]:
    return [(region, text) for region in regions if isinstance(text := region.value.get("text"), str)]


def _fitting(ground: RegionText, stated: list[tuple[_Result, str]]) -> Unit | None:
    """Return the first unit under which all stated texts are found."""

    def fits(unit: Unit) -> bool:
        try:
            places = [(ground.place(region.value, unit), text) for region, text in stated]
        except InputError:
            return False
        return all(ground.alike(text, ground.text[slice(*place)]) for place, text in places)

    return next((unit for unit in ground.units if fits(unit)), None)


def _unit(ground: RegionText, regions: list[_Result], name: str, item: JsonItem) -> Unit:
    """Return the unit of offsets, and report one that is not the documented one."""
    stated, documented = _stated(regions), ground.units[0]
    unit = _fitting(ground, stated)
    if unit is None:
        for region, text in stated:
            _expect_text(ground, _place(ground, region, documented), region, text)
        return documented
    if unit != documented:
        item.repair(f"task {name}: offsets count {NOUNS[unit]}: the stated text is found only so")
    return unit


def _expect_text(ground: RegionText, place: Span, region: _Result, text: str) -> None:
    standing = ground.text[slice(*place)]
    if not ground.alike(text, standing):
        name = shown(str(region.id))
        is_address = ground.text.startswith(("http://", "https://", "/data/")) and " " not in ground.text
        why = "; the column has the address of the text, export the text itself" if is_address else ""
        raise InputError(
            f"region {name}: its text is {shown(text)}, but at {list(place)} stands {shown(standing)}{why}"
        )


def _relate(assembly: Assembly, result: _Result, regions: set[str], known: set[str], problems: Problems) -> None:
    """Add a relation for each of its labels; direction "left" leads from the second end to the first.

    A relation with a region that was not selected is left out with it.
    """
    ends = ["" if end is None else str(end) for end in (result.from_id, result.to_id)]
    for end in ends:
        if end not in known:
            raise InputError(f"a relation names the region {shown(end)}, which is not there")
    if not regions.issuperset(ends):
        return
    if result.direction is None:
        problems.count("relation without a direction")
    if result.direction == "left":
        ends.reverse()
    attributes = {"direction": "bi"} if result.direction == "bi" else {}
    for label in result.labels or [""]:
        assembly.relation(label, ends[0], ends[1], attributes=attributes)


def _task(document: Document) -> dict[str, Any]:
    """Return a task with one annotation, on a plain text."""
    results: list[dict[str, Any]] = []
    for mention in document.mentions:
        text = document.text[mention.start : mention.end]
        value = {"start": mention.start, "end": mention.end, "text": text, "labels": list(mention.labels)}
        attributes: Mapping[str, Any] = {_CONTROL: "label"} | values_of(mention.attributes)
        results.append({"id": mention.id, **attributes, "to_name": "text", "type": "labels", "value": value})
    mentions = {mention.id for mention in document.mentions}
    for relation in document.relations:
        head, tail = _CAPACITY.ends(document, relation, mentions)
        arrow = {"from_id": head, "to_id": tail, "direction": relation.attributes.get("direction", "right")}
        results.append({"type": "relation", **arrow, "labels": [relation.label] if relation.label else []})
    data = {"text": document.text} | values_of(document.metadata)
    task: dict[str, Any] = {"id": plain_id(document.id), "data": data, "annotations": [{"result": results}]}
    answer = _Answer("", _CAPACITY.reread(document, results, list[_Result]), {})
    again = _document(document.id, data, answer, {}, JsonItem("", None, 1, task, Problems()), LabelStudioOptions())
    for mention, original in zip(again.mentions, document.mentions, strict=True):
        if _CONTROL not in original.attributes:
            mention.attributes.pop(_CONTROL)  # every region has one, so it got a name
    _CAPACITY.compare(document, again, "relations have no label, or one, and no direction but 'bi'")
    return task


def sniff(head: str) -> bool:
    """Tell whether the first object is a task with results, or an annotation of JSON-MIN.

    >>> sniff('[{"data": {"text": "Bern"}, "annotations": [{"result": []}]}]'), sniff('[{"data": {}}]')
    (True, False)
    """
    first = first_object(head)
    if first.keys() >= {"annotation_id", "annotator", "lead_time"}:
        return True
    if not isinstance(first.get("data"), dict):
        return False
    kinds = ("annotations", "completions", "predictions", "drafts")
    answers = [answer for key in kinds for answer in objects(first.get(key))]
    return any("result" in answer for answer in answers) or first.keys() >= {"annotations", "inner_id", "project"}


FORMAT = Format(
    name="labelstudio",
    title="Label Studio's JSON and JSON-MIN: tasks with annotations and predictions",
    known_by=(
        "`data` with `annotations`, `completions` or `predictions` that have a `result`, or "
        "`annotation_id`, `annotator` and `lead_time`"
    ),
    read=read,
    sniff=sniff,
    write=_CAPACITY.array(_task),
    keeps=_CAPACITY.keeps,
    options=LabelStudioOptions,
    layers="mentions with one span and any labels, relations, metadata",
)
