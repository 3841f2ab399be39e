"""Bytes to record and back: decoding, every error located, files of many records.

The names below are what other folders use; the modules beside this one are for nobody else.
"""

from records.codec.blocks import BLOCK_BYTES, Block, blocks
from records.codec.decoder import Decoded, decode
from records.codec.encoder import digest, encode
from records.codec.files import Entry, entries

__all__ = [
    "BLOCK_BYTES",
    "Block",
    "Decoded",
    "Entry",
    "blocks",
    "decode",
    "digest",
    "encode",
    "entries",
]
