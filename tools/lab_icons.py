"""Draw the icons of the lab as bitmaps, for systems that take no SVG: `python tools/lab_icons.py`.

An icon that a system may cut to its own shape ("maskable") fills the whole square, with the pips
within the inner circle of 80%.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

ICONS = Path(__file__).parent.parent / "src" / "dicelab" / "lab" / "static" / "icons"
GREEN, IVORY = "#14665a", "#fffdf7"
FINE = 4  # drawn so many times larger, then made smaller with soft edges


def icon(size: int, maskable: bool) -> Image.Image:
    """Return a die that shows 3; maskable, its body is the whole square."""
    unit = size * FINE / 32
    drawn = Image.new("RGBA", (size * FINE, size * FINE), GREEN if maskable else "#0000")
    pen = ImageDraw.Draw(drawn)
    if not maskable:
        pen.rounded_rectangle((2 * unit, 2 * unit, 30 * unit, 30 * unit), 8 * unit, fill=GREEN)
    for middle in (10, 16, 22):
        low, high = (middle - 2.9) * unit, (middle + 2.9) * unit
        pen.ellipse((low, low, high, high), fill=IVORY)
    return drawn.resize((size, size), Image.Resampling.LANCZOS)


def main() -> None:
    """Write the icons that the page and its manifest name."""
    for name, size, maskable in (
        ("icon-192", 192, False),
        ("icon-512", 512, False),
        ("maskable-512", 512, True),
        ("touch-180", 180, True),  # corners are rounded by the system
    ):
        icon(size, maskable).save(ICONS / f"{name}.png", optimize=True)
        print(f"wrote {name}.png")


if __name__ == "__main__":
    main()
