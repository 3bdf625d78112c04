/// Something that other parts of an app use by its name or by its protocol.
///
/// It may be asked for from any thread.
public protocol MobileService: AnyObject, Sendable {
  init()
}
