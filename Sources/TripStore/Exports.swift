// An app imports TripStore alone: what its calls take and answer comes with it.
@_exported public import EventLog
@_exported public import Events
@_exported public import LogExchange
@_exported public import ProjectionEngine
@_exported public import TripProjections
@_exported public import Trips
