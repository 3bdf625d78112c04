// An app that uploads logs writes some, too.
@_exported public import MPaaSLogs
