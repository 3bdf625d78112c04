// The keys, the identities and the lengths of time in the interface come along.
@_exported public import MPaaSTime
@_exported public import MPaaSVerification
