// Who uploads logs writes some, too.
@_exported public import MPaaSLogs
