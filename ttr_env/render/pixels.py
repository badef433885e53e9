"""Pixels from a scene, drawn by Pillow.

Shapes are drawn several times too large and scaled down, which smooths their edges; text is smooth by itself.
A group that was drawn before is taken from memory: from one position to the next most groups stay the same.
"""

from __future__ import annotations

import functools
import math
from importlib import resources
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .scene import Circle, Group, Line, Point, Polygon, Rect, Scene, Shape, Text

_FINE = 4  # subpixels along each side of a pixel
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
_HALO = 1.6  # width of the colour around letters, in units of the scene

Paint = str | Image.Image


class Layer(NamedTuple):
    """Something to put on the picture: a colour or an image, through a mask."""

    paint: Paint
    corner: tuple[int, int]
    mask: Image.Image


def draw(scene: Scene, width: int) -> np.ndarray:
    """The scene as uint8 [height, width, 3].

    >>> draw(Scene(10, 5, Group((Rect(0, 0, 10, 5, "#ff0000"),)), ()), width=20)[0, 0].tolist()
    [255, 0, 0]
    """
    size = scene.size_at(width)
    scale = width / scene.width
    canvas = _backdrop(scene.backdrop, size, scale).copy()
    for group in scene.groups:
        for paint, (x, y), mask in _layers(group, scale):
            if isinstance(paint, str):
                canvas.paste(paint, (x, y, x + mask.width, y + mask.height), mask)
            else:
                canvas.paste(paint, (x, y), mask)
    return np.array(canvas)


@functools.lru_cache(maxsize=8)
def _backdrop(group: Group, size: tuple[int, int], scale: float) -> Image.Image:
    fine = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE), "white")
    pen = _Pen(ImageDraw.Draw(fine), scale * _FINE, (0, 0))
    for shape in group.shapes:
        pen.draw(shape)
    return fine.reduce(_FINE)


@functools.lru_cache(maxsize=2048)
def _layers(group: Group, scale: float) -> tuple[Layer, ...]:
    shapes = [shape for shape in group.shapes if not isinstance(shape, Text)]
    layers = [_tile(shapes, scale)] if shapes else []
    for shape in group.shapes:
        if isinstance(shape, Text):
            layers += _text(shape, scale)
    return tuple(layers)


def _tile(shapes: list[Shape], scale: float) -> Layer:
    """The shapes, drawn on as small a piece of the picture as holds them."""
    corners = [point for shape in shapes for point in _extent(shape)]
    left, top = (math.floor(min(point[axis] for point in corners) * scale) for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in corners) * scale) for axis in (0, 1))
    fine = Image.new("RGBA", ((right - left) * _FINE, (bottom - top) * _FINE))
    pen = _Pen(ImageDraw.Draw(fine), scale * _FINE, (left * _FINE, top * _FINE))
    for shape in shapes:
        pen.draw(shape)
    tile = fine.reduce(_FINE)
    return Layer(tile.convert("RGB"), (left, top), tile.getchannel("A"))


def _extent(shape: Shape) -> list[Point]:
    """Two or more points whose bounding box holds the shape."""
    if isinstance(shape, Line | Polygon):
        points, edge = list(shape.points), shape.width
    elif isinstance(shape, Circle):
        points, edge = [(shape.x, shape.y)], shape.r + shape.width
    else:
        assert isinstance(shape, Rect)
        points, edge = [(shape.x, shape.y), (shape.x + shape.w, shape.y + shape.h)], shape.width
    return [(x + side, y + side) for x, y in points for side in (-edge, edge)]


class _Pen:
    """Draws shapes on a large canvas, whose top left corner is at `origin`."""

    def __init__(self, canvas: ImageDraw.ImageDraw, scale: float, origin: tuple[int, int]) -> None:
        self.canvas, self.scale, self.origin = canvas, scale, origin

    def draw(self, shape: Shape) -> None:
        if isinstance(shape, Line):
            self._line(shape.points, shape.stroke, shape.width)
        elif isinstance(shape, Polygon):
            if shape.fill:
                self.canvas.polygon(self._points(shape.points), shape.fill)
            if shape.stroke:
                self._line((*shape.points, *shape.points[:2]), shape.stroke, shape.width)
        elif isinstance(shape, Rect):
            outer = shape.width / 2 if shape.stroke else 0.0
            if shape.stroke:
                self._rect(shape, outer, shape.stroke)
            if shape.fill:
                self._rect(shape, -outer, shape.fill)
        elif isinstance(shape, Circle):
            outer = shape.width / 2 if shape.stroke else 0.0
            if shape.stroke:
                self._circle(shape, shape.r + outer, shape.stroke)
            if shape.fill:
                self._circle(shape, shape.r - outer, shape.fill)

    def _points(self, points: tuple[Point, ...]) -> list[Point]:
        return [(x * self.scale - self.origin[0], y * self.scale - self.origin[1]) for x, y in points]

    def _line(self, points: tuple[Point, ...], colour: str, width: float) -> None:
        self.canvas.line(self._points(points), colour, max(1, round(width * self.scale)), joint="curve")

    def _rect(self, shape: Rect, grow: float, colour: str) -> None:
        corners = (shape.x - grow, shape.y - grow), (shape.x + shape.w + grow, shape.y + shape.h + grow)
        (left, top), (right, bottom) = self._points(corners)
        radius = max(0.0, shape.radius + grow) * self.scale
        # Pillow counts the last row and column in.
        self.canvas.rounded_rectangle((left, top, right - 1, bottom - 1), radius, colour)

    def _circle(self, shape: Circle, radius: float, colour: str) -> None:
        (left, top), (right, bottom) = self._points(
            ((shape.x - radius, shape.y - radius), (shape.x + radius, shape.y + radius))
        )
        self.canvas.ellipse((left, top, right - 1, bottom - 1), colour)


def _text(shape: Text, scale: float) -> list[Layer]:
    layers = []
    if shape.halo:
        mask, (left, top) = _letters(shape.text, shape.size * scale, shape.bold, shape.anchor, _HALO * scale)
        layers.append(Layer(shape.halo, (round(shape.x * scale) + left, round(shape.y * scale) + top), mask))
    mask, (left, top) = _letters(shape.text, shape.size * scale, shape.bold, shape.anchor, 0.0)
    layers.append(Layer(shape.fill, (round(shape.x * scale) + left, round(shape.y * scale) + top), mask))
    return layers


@functools.lru_cache(maxsize=2048)
def _letters(
    text: str, size: float, bold: bool, anchor: str, halo: float
) -> tuple[Image.Image, tuple[int, int]]:
    """A mask of the text, and where its top left corner lies from the text's position."""
    font = _font(size, bold)
    left, top, right, bottom = font.getbbox(text, anchor=_ANCHORS[anchor], stroke_width=halo)
    corner = math.floor(left), math.floor(top)
    mask = Image.new("L", (max(1, math.ceil(right) - corner[0]), max(1, math.ceil(bottom) - corner[1])))
    at = (-corner[0], -corner[1])
    ImageDraw.Draw(mask).text(at, text, 255, font, anchor=_ANCHORS[anchor], stroke_width=halo)
    return mask, corner


@functools.lru_cache(maxsize=128)
def _font(size: float, bold: bool) -> ImageFont.FreeTypeFont:
    file = resources.files(__package__) / "fonts" / ("Lato-Bold.ttf" if bold else "Lato-Regular.ttf")
    with file.open("rb") as stream:
        # The basic layout is on every platform, so that pictures are the same everywhere.
        return ImageFont.truetype(stream, size, layout_engine=ImageFont.Layout.BASIC)
