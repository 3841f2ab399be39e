-- Version 3: a record is known by its digest alone, and blocks that were read by the log of imports.

ALTER TABLE records DROP COLUMN content;
