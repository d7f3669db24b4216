// The database and its errors, so that whoever stores imports only this module.
@_exported public import SQLite
