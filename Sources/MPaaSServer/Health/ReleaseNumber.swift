/// The number of a release in an environment: made of their names, so that no sequence is asked for it.
struct ReleaseNumber: Sendable, Hashable, Comparable {
  let app: String
  let number: Int64

  init(app: String, release: String, environment: String) {
    self.app = app
    number = RowNumber.of(app, release, environment)
  }

  init(app: String, number: Int64) {
    self.app = app
    self.number = number
  }

  static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }
}
