"""The known faults and surprises of kgtk-similarity, by name, with the profiles in which Karat reproduces them."""

from __future__ import annotations

from karat.quirks import Quirk

PUBLISHED, CORRECTED = "published", "corrected"
PROFILES = (PUBLISHED, CORRECTED)

QUIRKS = (
    Quirk(
        "dice-not-jaccard",
        "The class similarity is documented as a Jaccard coefficient of weights; what is computed counts shared "
        "classes twice, which is the Dice coefficient.",
        (PUBLISHED,),
    ),
    Quirk(
        "negative-weights",
        "A class above or beside the root, with more members than it, has a negative weight.",
        (PUBLISHED,),
    ),
    Quirk(
        "zero-weights",
        "Where every class of both nodes is as common as the root, the weights sum to zero and the program stops. "
        "Karat calls the class similarity undefined in every profile.",
    ),
    Quirk(
        "cycle-excludes-itself",
        "A class counts as more general than its subclasses even if it is also below them, so the classes of a cycle "
        "exclude each other as subsumers: jc of such a class with itself is 0.",
        (PUBLISHED,),
    ),
    Quirk(
        "root-has-no-likeness",
        "The root has no superclasses, not even itself, unless it has edges of its own: jc of the root with anything "
        "is 0, with itself too, and so is its class similarity.",
        (PUBLISHED,),
    ),
    Quirk(
        "identity-not-one",
        "A node that says nothing about its classes is not like itself: both measures are 0.",
        (PUBLISHED,),
    ),
    Quirk(
        "missing-is-zero",
        "A node that the ontology does not have, or of which it says nothing, has likeness 0 with everything; only the "
        "web service tells it apart.",
        (PUBLISHED,),
    ),
    Quirk(
        "occupations-not-followed",
        "Occupations and positions make a node a member of classes, which are counted, but jc does not follow them: a "
        "person known by the occupation alone has jc 0 with everything.",
        (PUBLISHED,),
    ),
    Quirk(
        "rare-subsumer-clamped",
        "Where counts contradict the edges and a subsumer is rarer than both nodes, the distance is set to 0 and "
        "jc is 1.",
        PROFILES,
    ),
    Quirk(
        "subsumer-without-count",
        "A most specific subsumer without a count stops the program with a logarithm of zero. Karat calls jc undefined "
        "there; the corrected variant looks at the other subsumers.",
    ),
)
