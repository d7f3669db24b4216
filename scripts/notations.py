"""Compares lines of notationlist with other implementations of the notations, and says how many places agreed.

    notationlist COUNT SEED | notations.py COUNT
"""

import math
import sys

import maidenhead
import mgrs
import utm
from openlocationcode import openlocationcode

NAMES = ["UTM", "MGRS 1 m", "MGRS 100 m", "Maidenhead", "plus code 10", "plus code 12", "geohash 9", "geohash 11", "dms",
         "dm", "decimal"]
LETTERS = "0123456789bcdefghjkmnpqrstuvwxyz"

judge = mgrs.MGRS()


def geohash(latitude, longitude, length):
    """By halving, as the notation is defined."""
    low, high = [-90.0, -180.0], [90.0, 180.0]
    text, value = "", 0
    for bit in range(5 * length):
        axis = (bit + 1) % 2
        middle = (low[axis] + high[axis]) / 2
        value *= 2
        if (latitude, longitude)[axis] >= middle:
            value += 1
            low[axis] = middle
        else:
            high[axis] = middle
        if bit % 5 == 4:
            text, value = text + LETTERS[value], 0
    return text


def is_north_pole(latitude):
    return latitude == 90


def same_utm(text, latitude, longitude):
    zone, easting, northing = text.split()
    if not -80 <= latitude < 84:
        # The judge has no UPS.
        return None if zone in "ABYZ" else False
    east, north, number, band = utm.from_latlon(latitude, 180 if longitude == -180 else longitude)
    if longitude in (-180, 180):
        # Both names are right for the antimeridian.
        if int(zone[:-1]) in (1, 60):
            return zone[-1] == band and abs(float(northing) - north) < 0.01
        return False
    near = abs(float(easting) - east) < 0.01 and abs(float(northing) - north) < 0.01
    return zone == f"{number:02}{band}" and near


def same_maidenhead(text, latitude, longitude):
    if text == maidenhead.to_maiden(latitude, longitude, 4):
        return True
    # The judge rounds places within a metre of the next cell into it.
    before = [(a, b) for a in (0, 1.2e-5) for b in (0, 2.4e-5)]
    return "border" if text in [maidenhead.to_maiden(latitude - a, longitude - b, 4) for a, b in before] else False


def same_mgrs(text, latitude, longitude, digits):
    if latitude == 84:
        # The judge has UTM there still, GeographicLib UPS already.
        return None
    other = judge.toMGRS(latitude, longitude, MGRSPrecision=digits)
    other = other.decode() if isinstance(other, bytes) else other
    text = text.replace(" ", "")
    if text == other.zfill(len(text)):
        return True
    # Where a coordinate is within a millimetre of a square's border, the two series may choose either square.
    there, here = judge.toLatLon(other), judge.toLatLon(text)
    meters = math.hypot(there[0] - here[0], (there[1] - here[1]) * math.cos(math.radians(latitude))) * 111_320
    return "border" if meters < 1.6 * 10 ** (5 - digits) else False


def degrees(text):
    def angle(word):
        for symbol in "°′″":
            word = word.replace(symbol, " ")
        *numbers, letter = word.split()
        value = sum(float(number) / 60**place for place, number in enumerate(numbers))
        assert all(float(number) < 60 for number in numbers[1:]), text
        return -value if letter in "SW" else value
    words = text.split(", ") if ", " in text else text.split(" ")
    return angle(words[0].replace("N", " N").replace("S", " S")), angle(words[1].replace("E", " E").replace("W", " W"))


def same_degrees(text, latitude, longitude):
    there = degrees(text)
    return abs(there[0] - latitude) < 6e-8 and abs(there[1] - longitude) < 6e-8


def compare(line):
    columns = line.rstrip("\n").split("\t")
    latitude, longitude = float(columns[0]), float(columns[1])
    texts = columns[2:]
    assert len(texts) == len(NAMES), line
    north = math.nextafter(90, 0) if is_north_pole(latitude) else latitude
    east = -180.0 if longitude == 180 else longitude
    return [
        same_utm(texts[0], latitude, longitude),
        same_mgrs(texts[1], latitude, longitude, 5),
        same_mgrs(texts[2], latitude, longitude, 3),
        same_maidenhead(texts[3], north, east),
        texts[4] == openlocationcode.encode(latitude, longitude, 10),
        texts[5] == openlocationcode.encode(latitude, longitude, 12),
        texts[6] == geohash(north, east, len(texts[6])),
        texts[7] == geohash(north, east, len(texts[7])),
        *[same_degrees(text, latitude, longitude) for text in texts[8:]],
    ]


def main():
    wanted = int(sys.argv[1])
    count = 0
    agreed = [0] * len(NAMES)
    borders = [0] * len(NAMES)
    unjudged = [0] * len(NAMES)
    wrong = []
    for line in sys.stdin:
        count += 1
        for place, outcome in enumerate(compare(line)):
            if outcome is None:
                unjudged[place] += 1
            elif outcome == "border":
                borders[place] += 1
            elif outcome:
                agreed[place] += 1
            else:
                wrong.append(f"{NAMES[place]}: {line.rstrip()}")
    if count < wanted:
        sys.exit(f"check-notations: only {count} of {wanted} places were compared")
    for name, same, border, missing in zip(NAMES, agreed, borders, unjudged):
        remarks = (f", {border} on a border" if border else "") + (f", {missing} without a judge" if missing else "")
        print(f"{name}: {same} of {count} places agree{remarks}")
    for text in wrong[:20]:
        print(text, file=sys.stderr)
    if wrong:
        sys.exit(f"check-notations: {len(wrong)} notations differ from the judges'")
    # Without an exception on borders nearly all are the same.
    if any(border > count / 100 for border in borders):
        sys.exit("check-notations: too many places are on borders")


main()
