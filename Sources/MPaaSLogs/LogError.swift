package import MPaaSSupport

/// Names the errors of logs.
package enum LogDomain {}

/// Why a log could not be written or read.
package typealias LogError = CodedError<LogDomain>
