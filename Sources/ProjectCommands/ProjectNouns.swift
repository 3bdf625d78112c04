package import ArgumentParser

/// The commands that make projects and their parts, and that edit Xcode's.
package enum ProjectNouns {
  package static var all: [any ParsableCommand.Type] {
    [
      CreateAppCommand.self, NewCommand.self, TemplateCommand.self, UpdateTemplateCommand.self, GenerateCommand.self,
      ProjectCommand.self,
    ]
  }
}
