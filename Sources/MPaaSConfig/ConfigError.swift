package import MPaaSSupport

/// The errors of the files that configure an app.
package enum ConfigDomain {}

/// The reason why a file that configures an app cannot be read or edited.
package typealias ConfigError = CodedError<ConfigDomain>
