package import MPaaSSupport

/// Names the errors of the server.
package enum ServerDomain {}

/// Why the server could not begin, or refused what was sent.
package typealias ServerError = CodedError<ServerDomain>
