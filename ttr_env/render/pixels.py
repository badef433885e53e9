"""Pixels from a scene, drawn by Pillow.

Shapes are drawn several times too large and scaled down, which smooths their edges; text is smooth by itself.
A group that was drawn before is taken from memory: from one position to the next most groups stay the same.
"""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .shapes import Circle, Group, Line, Point, Polygon, Rect, Scene, Shape, Text

_FINE = 4  # subpixels along each side of a pixel
_HALO = 1.6  # width of the colour around letters, in units of the scene
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


class Tile(NamedTuple):
    """A piece of the picture, partly transparent."""

    image: Image.Image  # RGBA
    left: int
    top: int


def draw(scene: Scene, width: int) -> np.ndarray:
    """The scene as uint8 [height, width, 3].

    >>> draw(Scene(10, 5, Group((Rect(0, 0, 10, 5, "#ff0000"),)), ()), width=20)[0, 0].tolist()
    [255, 0, 0]
    """
    scale = width / scene.width
    canvas = _backdrop(scene.backdrop, scene.size_at(width), scale).copy()
    for group in scene.groups:
        image, left, top = _tile(group, scale)
        canvas.paste(image, (left, top), image)
    return np.array(canvas)


@functools.lru_cache(maxsize=8)
def _backdrop(group: Group, size: tuple[int, int], scale: float) -> Image.Image:
    fine = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE))
    pen = _Pen(ImageDraw.Draw(fine), scale * _FINE, (0, 0))
    for shape in group.shapes:
        pen.draw(shape)
    return fine.reduce(_FINE)


@functools.lru_cache(maxsize=4096)
def _tile(group: Group, scale: float) -> Tile:
    """A group on as small a piece as holds it: first its shapes, then its texts."""
    layers = [_text(shape, scale) for shape in group.shapes if isinstance(shape, Text)]
    shapes = [shape for shape in group.shapes if not isinstance(shape, Text)]
    if shapes:
        layers.insert(0, _shapes(shapes, scale))
    if len(layers) == 1:
        return layers[0]
    left, top = min(layer.left for layer in layers), min(layer.top for layer in layers)
    right = max(layer.left + layer.image.width for layer in layers)
    bottom = max(layer.top + layer.image.height for layer in layers)
    whole = Image.new("RGBA", (right - left, bottom - top))
    for layer in layers:
        whole.alpha_composite(layer.image, (layer.left - left, layer.top - top))
    return Tile(whole, left, top)


def _shapes(shapes: Sequence[Shape], scale: float) -> Tile:
    corners = [point for shape in shapes for point in _extent(shape)]
    left, top = (math.floor(min(point[axis] for point in corners) * scale) for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in corners) * scale) for axis in (0, 1))
    fine = Image.new("RGBA", ((right - left) * _FINE, (bottom - top) * _FINE))
    pen = _Pen(ImageDraw.Draw(fine), scale * _FINE, (left * _FINE, top * _FINE))
    for shape in shapes:
        pen.draw(shape)
    return Tile(fine.reduce(_FINE), left, top)


def _extent(shape: Shape) -> list[Point]:
    """Points whose bounding box holds the shape, its stroke included."""
    match shape:
        case Line(points=points) | Polygon(points=points):
            edge = shape.width
        case Circle(x=x, y=y, r=r):
            points, edge = ((x, y),), r + shape.width
        case Rect(x=x, y=y, w=w, h=h):
            points, edge = ((x, y), (x + w, y + h)), shape.width
        case Text():
            raise TypeError("a text's extent is its font's business")
    return [(x + side, y + side) for x, y in points for side in (-edge, edge)]


class _Pen:
    """Draws shapes on a large canvas, whose top left corner is at `origin`."""

    def __init__(self, canvas: ImageDraw.ImageDraw, scale: float, origin: tuple[int, int]) -> None:
        self.canvas, self.scale, self.origin = canvas, scale, origin

    def draw(self, shape: Shape) -> None:
        match shape:
            case Line():
                self._line(shape.points, shape.stroke, shape.width)
            case Polygon():
                if shape.fill:
                    self.canvas.polygon(self._points(shape.points), shape.fill)
                if shape.stroke:  # once around and a little further, so that the last corner is joined too
                    self._line((*shape.points, *shape.points[:2]), shape.stroke, shape.width)
            case Rect() | Circle():
                # A stroke is a larger shape behind a smaller one.
                outward = shape.width / 2 if shape.stroke else 0.0
                for colour, grow in ((shape.stroke, outward), (shape.fill, -outward)):
                    if colour:
                        self._rounded(shape, grow, colour)

    def _rounded(self, shape: Rect | Circle, grow: float, colour: str) -> None:
        if isinstance(shape, Rect):
            near, far = (shape.x, shape.y), (shape.x + shape.w, shape.y + shape.h)
        else:
            near, far = (shape.x - shape.r, shape.y - shape.r), (shape.x + shape.r, shape.y + shape.r)
        (left, top), (right, bottom) = self._points(((near[0] - grow, near[1] - grow), (far[0] + grow, far[1] + grow)))
        # Pillow counts the last row and column in.
        box = (left, top, max(left, right - 1), max(top, bottom - 1))
        if isinstance(shape, Rect):
            self.canvas.rounded_rectangle(box, max(0.0, shape.radius + grow) * self.scale, colour)
        else:
            self.canvas.ellipse(box, colour)

    def _line(self, points: Sequence[Point], colour: str, width: float) -> None:
        self.canvas.line(self._points(points), colour, max(1, round(width * self.scale)), joint="curve")

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale - self.origin[0], y * self.scale - self.origin[1]) for x, y in points]


@functools.lru_cache(maxsize=2048)
def _text(shape: Text, scale: float) -> Tile:
    font, anchor = load_font(shape.size * scale, shape.bold), _ANCHORS[shape.anchor]
    halo = _HALO * scale if shape.halo else 0.0
    x, y = round(shape.x * scale), round(shape.y * scale)
    left, top, right, bottom = font.getbbox(shape.text, anchor=anchor, stroke_width=halo)
    left, top = math.floor(left), math.floor(top)
    size = max(1, math.ceil(right) - left), max(1, math.ceil(bottom) - top)
    whole = Image.new("RGBA", size)
    for colour, stroke in ((shape.halo, halo), (shape.fill, 0.0)):
        if colour:
            letters = Image.new("L", size)
            ImageDraw.Draw(letters).text((-left, -top), shape.text, 255, font, anchor=anchor, stroke_width=stroke)
            ink = Image.new("RGBA", size, colour)
            ink.putalpha(letters)
            whole.alpha_composite(ink)
    return Tile(whole, x + left, y + top)


@functools.lru_cache(maxsize=128)
def load_font(size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """The font of all pictures, in a size in pixels."""
    file = resources.files(__package__) / "fonts" / ("Lato-Bold.ttf" if bold else "Lato-Regular.ttf")
    # The basic layout is there on every platform, so that pictures are the same everywhere.
    return ImageFont.truetype(io.BytesIO(file.read_bytes()), max(size, 1), layout_engine=ImageFont.Layout.BASIC)
