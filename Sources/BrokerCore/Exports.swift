// The names that `import Broker` makes visible: those that an app needs, and no others.

// The model: what the data is.
@_exported public import struct ObjectModel.Attribute
@_exported public import enum ObjectModel.AttributeType
@_exported public import struct ObjectModel.Composite
@_exported public import enum ObjectModel.DeleteRule
@_exported public import struct ObjectModel.Entity
@_exported public import struct ObjectModel.Index
@_exported public import struct ObjectModel.Model
@_exported public import struct ObjectModel.ModelChange
@_exported public import struct ObjectModel.ModelError
@_exported public import struct ObjectModel.ModelProblem
@_exported public import struct ObjectModel.ModelVersion
@_exported public import struct ObjectModel.Relationship
@_exported public import struct ObjectModel.Schema
@_exported public import struct ObjectModel.SchemaError
@_exported public import struct ObjectModel.UnusableModel

// The caller's mapping: what is said of the JSON beyond the model.
@_exported public import enum JSONStream.JSONValue
@_exported public import enum ObjectModel.AddedValue
@_exported public import struct ObjectModel.DateRule
@_exported public import enum ObjectModel.Dialect
@_exported public import struct ObjectModel.DictionaryRule
@_exported public import enum ObjectModel.Discriminator
@_exported public import struct ObjectModel.DocumentMapping
@_exported public import struct ObjectModel.EntityMapping
@_exported public import struct ObjectModel.InsideRule
@_exported public import struct ObjectModel.JSONMapping
@_exported public import struct ObjectModel.KindValues
@_exported public import struct ObjectModel.MappingError
@_exported public import struct ObjectModel.MappingFunctions
@_exported public import struct ObjectModel.PolymorphicRule
@_exported public import enum ObjectModel.ReferencePolicy
@_exported public import struct ObjectModel.SourceForm
@_exported public import enum ObjectModel.ToManyPolicy
@_exported public import struct ObjectModel.Transformer
@_exported public import struct ObjectModel.TransformerCall
@_exported public import struct ObjectModel.TransformerError

// The store: where the data is.
@_exported public import struct ObjectStore.ImportRecord
@_exported public import struct ObjectStore.MigrationPlan
@_exported public import struct ObjectStore.ObjectPredicate
@_exported public import struct ObjectStore.ObjectPredicateError
@_exported public import enum ObjectStore.SQLValue
@_exported public import struct ObjectStore.PredicateArgument
@_exported public import class ObjectStore.CoreDataStore
@_exported public import class ObjectStore.Store
@_exported public import struct ObjectStore.StoreError

// The mapping: how JSON becomes objects, and objects become JSON.
@_exported public import struct Mapping.ExportError
@_exported public import struct Mapping.ExportOptions
@_exported public import struct Mapping.Exporter
@_exported public import struct Mapping.ImportChunks
@_exported public import struct Mapping.ImportError
@_exported public import struct Mapping.ImportOptions
@_exported public import struct Mapping.ImportSource
@_exported public import struct Mapping.Importer
@_exported public import struct Mapping.ImportIssue
@_exported public import struct Mapping.InputFormat
@_exported public import struct Mapping.ImportShare
@_exported public import enum Mapping.ImportTarget
@_exported public import enum Mapping.KeyStyle
@_exported public import struct Mapping.ObjectReference
@_exported public import struct Mapping.PartialImportError
@_exported public import struct Mapping.PendingReference
@_exported public import struct Mapping.PlanError
@_exported public import struct Mapping.Report
