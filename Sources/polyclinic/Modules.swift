import Appointments
import Contacts
import CovidStats
import HealthMetrics
import PolyclinicCore
import VaccinationQR

/// The modules that this program is built with, in the order of the navigation.
let modules: [any Module] = [
  AppointmentsModule(), ContactsModule(), HealthMetricsModule(), CovidStatsModule(),
  VaccinationQRModule(),
]
