// Who imports `MPaaSTrust` has all that verifies and encrypts: it is apart for apps that do no more.
@_exported public import MPaaSVerification
