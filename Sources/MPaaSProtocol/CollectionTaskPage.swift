/// A part of the list of collection tasks; the next one is asked for with `before` and the last one's id.
package struct CollectionTaskPage: Codable, Sendable, Equatable {
  package var tasks: [CollectionTask]

  package init(tasks: [CollectionTask]) { self.tasks = tasks }

  /// Servers up to 2026-11 answered with the bare array.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      tasks = try container.decode([CollectionTask].self, forKey: .tasks)
    } else {
      tasks = try [CollectionTask](from: decoder)
    }
  }

  private enum CodingKeys: String, CodingKey { case tasks }
}
