// All that verifies and encrypts is apart for apps that do no more; with `MPaaSTrust` it comes along.
@_exported public import MPaaSVerification
