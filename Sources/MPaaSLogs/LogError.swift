package import MPaaSSupport

/// Names the errors of logs.
package enum LogDomain {}

/// The reason why a log could not be written or read.
package typealias LogError = CodedError<LogDomain>
