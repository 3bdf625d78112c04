/// The owner of a search or a build, so that all that is its own can be cancelled at once: a view that goes away.
public struct PinyinSearchOwner: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case number(UInt64)
    case object(ObjectIdentifier)
    case name(String)
  }

  private let identity: Identity

  /// An owner that is equal to itself only.
  public init() {
    identity = .number(UInt64.random(in: .min ... .max))
  }

  /// The object as owner.
  ///
  /// It is not kept: cancel before it goes away, for another may be given its address.
  public init(_ object: AnyObject) {
    identity = .object(ObjectIdentifier(object))
  }

  /// The owner of that name.
  public init(named name: String) {
    identity = .name(name)
  }
}
