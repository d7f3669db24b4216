#pragma once
#include <sqlite3.h>

/// sqlite3_bind_text with a copy of the bytes: SQLITE_TRANSIENT is a cast that Swift cannot see.
/// A text of no bytes may be NULL here, and still is a text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int length) {
  return sqlite3_bind_text(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/// sqlite3_bind_blob with a copy of the bytes. No bytes may be NULL here, and still are a blob.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}
