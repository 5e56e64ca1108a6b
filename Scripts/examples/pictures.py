"""Pictures of terminals, as SVG."""

from html import escape

LINE, COLUMN, MARGIN, TITLE = 22, 8.45, 20, 34


def terminal(lines, columns=48, rows=5):
    """A picture of a terminal with some lines. It has at least as many columns and rows as given."""
    columns, rows = max([columns, *map(len, lines)]), max(rows, len(lines))
    width, height = round(columns * COLUMN + 2 * MARGIN), TITLE + rows * LINE + MARGIN
    dots = "".join(f'<circle cx="{22 + 20 * i}" cy="19" r="6" fill="{colour}"/>'
                   for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{TITLE + 18 + LINE * row}" xml:space="preserve">{escape(line)}</text>'
        for row, line in enumerate(lines))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="#1d2129" stroke="#4a5060"/>
{dots}
<g font-family="ui-monospace, Menlo, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6e8ee">
{texts}
</g>
</svg>
"""
