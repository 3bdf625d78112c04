package import MPaaSSupport

/// The errors of SDK modules.
package enum ModuleDomain {}

/// The reason why something about SDK modules could not be done.
///
/// Each part of the target lists its own codes in an extension of `Code`.
package typealias ModuleError = CodedError<ModuleDomain>
