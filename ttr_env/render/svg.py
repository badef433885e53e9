"""SVG from a scene. What a group shows is its tooltip."""

from __future__ import annotations

import functools
from xml.sax.saxutils import escape, quoteattr

from .palette import NIGHT
from .shapes import Circle, Group, Line, Point, Polygon, Rect, Scene, Shape, Text

# Fonts of about the same width as Lato, which pictures of pixels use.
_FONTS = "Lato, 'Helvetica Neue', Helvetica, Arial, sans-serif"
_HALO = 3.2  # width of the stroke behind letters, half of which shows


def draw(scene: Scene, width: int) -> str:
    r"""The scene as an SVG document.

    >>> print(draw(Scene(8, 4, Group((Circle(4, 2, 1.5, "#ff0000"),), "a dot"), ()), width=80).split("\n")[1])
    <g><title>a dot</title><circle cx="4" cy="2" r="1.5" fill="#ff0000"/></g>
    """
    groups = [draw_group(group) for group in (scene.backdrop, *scene.groups)]
    return "\n".join([opening(scene, width), *groups, "</svg>"])


def opening(scene: Scene, width: int) -> str:
    """The tag that a document begins with."""
    across, down = scene.size_at(width)
    view = f"0 0 {_number(scene.width)} {_number(scene.height)}"
    size = _attributes(width=across, height=down, viewBox=view, font_family=_FONTS, stroke_linejoin="round")
    return f'<svg xmlns="http://www.w3.org/2000/svg"{size}>'


def night() -> str:
    """A style sheet that makes drawings dark where the reader's system is."""
    rules = [f'g>[{what}="{day}"]{{{what}:{colour}}}' for day, colour in NIGHT.items() for what in ("fill", "stroke")]
    return f"@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}\n"


@functools.lru_cache(maxsize=4096)  # from one position to the next most groups stay the same
def draw_group(group: Group) -> str:
    """A group as an element; what it stands for becomes `data-` attributes.

    >>> draw_group(Group((), "Utrecht", (("city", "3"),)))
    '<g data-city="3"><title>Utrecht</title></g>'
    """
    data = _attributes(**{f"data_{name}": value for name, value in group.data})
    title = f"<title>{escape(group.title)}</title>" if group.title else ""
    return f"<g{data}>{title}{''.join(map(_shape, group.shapes))}</g>"


def _shape(shape: Shape) -> str:
    match shape:
        case Line(points=points):
            line = _attributes(points=_points(points), stroke=shape.stroke, stroke_width=shape.width)
            return f'<polyline fill="none"{line}/>'
        case Polygon(points=points):
            return f"<polygon{_attributes(points=_points(points))}{_paint(shape)}/>"
        case Rect(x=x, y=y, w=w, h=h):
            corners = {"rx": shape.radius} if shape.radius else {}
            return f"<rect{_attributes(x=x, y=y, width=w, height=h, **corners)}{_paint(shape)}/>"
        case Circle(x=x, y=y, r=r):
            return f"<circle{_attributes(cx=x, cy=y, r=r)}{_paint(shape)}/>"
        case Text():
            return _text(shape)


def _text(text: Text) -> str:
    more: dict[str, str | float] = {}
    if text.bold:
        more["font_weight"] = "bold"
    if text.anchor != "start":
        more["text_anchor"] = text.anchor
    if text.halo:
        more |= {"stroke": text.halo, "stroke_width": _HALO, "paint_order": "stroke"}
    start = _attributes(x=text.x, y=text.y, font_size=text.size, fill=text.fill, **more)
    return f"<text{start}>{escape(text.text)}</text>"


def _paint(shape: Polygon | Rect | Circle) -> str:
    stroke = _attributes(stroke=shape.stroke, stroke_width=shape.width) if shape.stroke else ""
    return _attributes(fill=shape.fill or "none") + stroke


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _attributes(**values: str | float) -> str:
    """Attributes as they stand in a tag; an underscore is written as a hyphen."""
    texts = {key: value if isinstance(value, str) else _number(value) for key, value in values.items()}
    return "".join(f" {key.replace('_', '-')}={quoteattr(text)}" for key, text in texts.items())


def _number(value: float) -> str:
    """A number with up to two decimals.

    >>> _number(12.0), _number(0.126), _number(800)
    ('12', '0.13', '800')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
