// The recipients and the lengths of time in the interface come along.
@_exported public import MPaaSAge
@_exported public import MPaaSTime
