public import ArgumentParser
public import Mapping
public import ObjectModel
public import ObjectStore

extension KeyStyle: ExpressibleByArgument {}
extension ToManyPolicy: ExpressibleByArgument {}
extension ReferencePolicy: ExpressibleByArgument {}
