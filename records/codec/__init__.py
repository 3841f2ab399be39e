"""Bytes to record and back: decoding, every error located, files of many records.

The names below are what other folders use; the modules beside this one are for nobody else.
"""

from records.codec.blocks import BLOCK_BYTES, Block, read_blocks
from records.codec.decoder import DecodedRecord, decode
from records.codec.encoder import digest, encode
from records.codec.files import Entry, read_entries

__all__ = [
    "BLOCK_BYTES",
    "Block",
    "DecodedRecord",
    "Entry",
    "decode",
    "digest",
    "encode",
    "read_blocks",
    "read_entries",
]
