// The lengths of time in the interface come along.
@_exported public import MPaaSTime
