import ArgumentParser
package import MPaaSConfig

extension PropertyListFormat: ExpressibleByArgument {
  /// The names of `plutil` are taken too.
  package init?(argument: String) {
    switch argument {
    case "xml1": self = .xml
    case "binary1": self = .binary
    case "strings", "old-style": self = .openstep
    default: self.init(rawValue: argument)
    }
  }
}

extension PropertyListType: ExpressibleByArgument {
  /// The names of `plutil` and of programming languages are taken too.
  package init?(argument: String) {
    switch argument {
    case "int": self = .integer
    case "float", "double": self = .real
    case "boolean": self = .bool
    case "dictionary": self = .dict
    default: self.init(rawValue: argument)
    }
  }
}

extension PropertyListMerge.Arrays: ExpressibleByArgument {}
extension PropertyListMerge.Preference: ExpressibleByArgument {}
