import MPaaSSupport

/// A form that timelines are written in.
package enum TimelineForm: String, Sendable, CaseIterable {
  case text, toml, json

  /// The form that the name of a file asks for; `text` where it asks for none.
  package init(ofFile path: String) {
    self = path.hasSuffix(".toml") ? .toml : path.hasSuffix(".json") ? .json : .text
  }

  /// A timeline in the form, with the line feed behind its last line.
  ///
  /// - Parameter profiles: Steps that hold what a profile of these says are written by its name.
  package func text(of timeline: Timeline, _ profiles: ProfileCatalogue) -> String {
    switch self {
    case .text: timeline.text(profiles: profiles)
    case .toml: timeline.toml(profiles: profiles)
    case .json: JSONValue.object(timeline.json(profiles: profiles)).line + "\n"
    }
  }
}
