public import ArgumentParser
public import MPaaSNetworkConditions

extension ProxyDefinition.Kind: ExpressibleByArgument {}
extension Direction: ExpressibleByArgument {}
extension Condition.Kind: ExpressibleByArgument {}
