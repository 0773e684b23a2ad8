// A projection needs only this import: with it come the store, and of the modules below what rows are made of.
@_exported public import TripStore

@_exported public import struct Events.ChangeView
@_exported public import struct Events.EventView
@_exported public import struct Events.RecordView
@_exported public import struct Events.Stamp
@_exported public import struct Events.WireError
@_exported public import struct ProjectionEngine.Accumulation
@_exported public import struct ProjectionEngine.EventPosition
@_exported public import struct ProjectionEngine.KeyBounds
@_exported public import protocol ProjectionEngine.Projection
@_exported public import struct ProjectionEngine.ProjectionError
@_exported public import enum ProjectionEngine.RowKind
@_exported public import struct ProjectionEngine.RowSink
@_exported public import enum ProjectionEngine.RowSource
@_exported public import struct ProjectionEngine.ViewComparison
@_exported public import struct ProjectionEngine.ViewSnapshot
@_exported public import struct TripProjections.EntityProjection
