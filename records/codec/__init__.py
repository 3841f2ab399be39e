"""Bytes to records and back: decoding, errors with their places, files of many records.

Other folders import only the names below, never the modules of this folder.
"""

from records.codec.blocks import BLOCK_BYTES, Block, read_blocks
from records.codec.decoder import DecodedRecord, as_json, decode, is_notation, without_marks
from records.codec.encoder import digest, encode
from records.codec.files import Entry, count_entries, read_entries
from records.codec.json_text import find_double_member
from records.codec.text_places import TextPlace, find_text_places

__all__ = [
    "BLOCK_BYTES",
    "Block",
    "DecodedRecord",
    "Entry",
    "TextPlace",
    "as_json",
    "count_entries",
    "decode",
    "digest",
    "encode",
    "find_double_member",
    "find_text_places",
    "is_notation",
    "read_blocks",
    "read_entries",
    "without_marks",
]
