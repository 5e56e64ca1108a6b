"""The notebook of the pictures, and one that is long enough to scroll."""

import datetime

TEXTS = [
    ("Paris, in three days\n\nMusée d'Orsay in the morning, before the queue. It is closed on Mondays.\n"
     "Café de Flore at four, then along the river to the Île de la Cité.\n"
     "Sainte-Chapelle when the sun is low.\n\nTrain home: Gare de Lyon, hall 2, 14:04.", ["Travel", "Paris"]),
    ("Bread\n\n500 g flour, 350 g water, 10 g salt, 100 g sourdough. Fold four times in two hours.", ["Kitchen"]),
    ("What a museum may cost\n\nThe museum pass pays from the third museum on. Orsay and Orangerie together: 18 €.",
     ["Paris"]),
    ("Books to read\n\nThe Left Hand of Darkness · Invisible Cities · A Pattern Language", ["Reading"]),
    ("Questions for the garden\n\nWhich apple tree stays small? When are beans sown here?", ["Garden"]),
    ("A quieter kitchen\n\nFelt under the chairs. The extractor only above 180 °C.", ["Kitchen", "Ideas"]),
    ("Museum of letters\n\nA room for each kind of handwriting. Open at night, by candle.", ["Ideas", "Reading"]),
    ("Seats\n\nLyon: 61 and 62, upstairs. Facing forward.", ["Travel"]),
    ("Soup for six\n\nLeek, potato, a handful of sorrel. Cream at the table.", ["Kitchen"]),
    ("Telephone numbers of the lighthouse\n\nAsk for the keeper's sister.", []),
    ("On the train\n\nThe best hour for writing is the one after Dijon.", ["Travel", "Ideas"]),
]


def date(days):
    start = datetime.datetime(2026, 10, 28, 14, 4)
    return (start - datetime.timedelta(days=days, minutes=97 * days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def small():
    tags = sorted({tag for _, names in TEXTS for tag in names})
    notes = [(1001 + 7 * index, text, [name.lower() for name in names], date(3 * index + 1))
             for index, (text, names) in enumerate(TEXTS)]
    return notes, tags


def long(count):
    """Notes from the newest, 0, to the oldest. The word `needle` is in each hundredth."""
    notes = [(1000 + index, f"Note {index}\n\n{'A needle. ' if index % 100 == 0 else ''}Line of number {index}.",
              ["even"] if index % 2 == 0 else [], date(index / 10)) for index in range(count)]
    return notes, ["Even"]
