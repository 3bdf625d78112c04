import ArgumentParser
import MPaaSProject

extension EditPosition: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package static var allValueStrings: [String] { ["first", "last", "sorted", "before:NAME", "after:NAME"] }
}
