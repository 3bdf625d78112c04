public import ArgumentParser
public import MPaaSPinyin

extension PinyinStyle: ExpressibleByArgument {}
extension UmlautSpelling: ExpressibleByArgument {}
extension TextKind: ExpressibleByArgument {}
extension PinyinEngine: ExpressibleByArgument {}
