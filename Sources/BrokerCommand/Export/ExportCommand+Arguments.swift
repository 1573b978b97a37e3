public import ArgumentParser
public import Mapping

extension ExportOptions.Keys: ExpressibleByArgument {}
