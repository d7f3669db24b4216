// The reader and the kinds of values, so that the daemon and its tests import only this module.
@_exported public import ConfigurationTables
