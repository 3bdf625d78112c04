// Who imports `MPaaSLogs` can write the recipients and the lengths of time in its interface.
@_exported public import MPaaSAge
@_exported public import MPaaSTime
