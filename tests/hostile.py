"""Names that have broken pages before, beside plain ones that sort alike."""

import random

HOSTILE = [
    "a</script><script>alert(1)</script>",
    "b\"quotes' and `ticks`",
    "c<b>&amp;<!--",
    "d😀👩‍👩‍👧 größe 数",
    "e" + "x" * 200,
    "f\u202eevil\u2066 \u05d0\u05d1\u05d2",
    "g\nnew\r\nline\ttab",
    "h{{ 7 * 7 }}{% endif %}",
    "i\x1b[31m\x07",
]
PLAIN = [name[0] * 3 for name in HOSTILE]


def hostile_table(names, n_rows=400, seed=7):
    """A table whose columns, values and classes have these names."""
    chance = random.Random(seed)
    values = [[chance.randrange(3) for _ in range(n_rows)] for _ in names[:4]]
    numbers = [[chance.randrange(50) for _ in range(n_rows)] for _ in names[4:]]
    for number in numbers:
        number[chance.randrange(n_rows)] = None
    labels = []
    for row in range(n_rows):
        sure = values[0][row] + 2 * (numbers[0][row] or 0) // 30 + values[1][row] * (numbers[1][row] or 0) // 40
        labels.append(names[(sure if chance.random() < 0.9 else chance.randrange(6)) % 6])
    table = {name: [names[each] for each in column] for name, column in zip(names, values, strict=False)}
    table |= dict(zip(names[4:], numbers, strict=True))
    return table | {"z" + names[0]: labels}
