// An app imports only TripStore: the types of its parameters and results come with it.
@_exported public import EventLog
@_exported public import Events
@_exported public import LogExchange
@_exported public import ProjectionEngine
@_exported public import TripProjections
@_exported public import Trips
