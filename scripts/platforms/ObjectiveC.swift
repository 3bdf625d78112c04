// Stands for Apple's module in scripts/check-platforms, which leaves the attributes of Objective-C out.
open class NSObject {
  public init() {}
}
public struct Selector: Sendable, Hashable {}
public typealias Method = OpaquePointer
public typealias IMP = OpaquePointer

// <objc/runtime.h>
public func objc_getClass(_ name: UnsafePointer<CChar>) -> Any! { nil }
public func class_getInstanceMethod(_ type: AnyClass?, _ selector: Selector) -> Method? { nil }
public func class_getClassMethod(_ type: AnyClass?, _ selector: Selector) -> Method? { nil }
public func class_getImageName(_ type: AnyClass?) -> UnsafePointer<CChar>? { nil }
public func method_getImplementation(_ method: Method) -> IMP { method }
