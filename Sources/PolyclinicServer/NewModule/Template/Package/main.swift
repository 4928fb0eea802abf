import Allergies
import PolyclinicServer

Polyclinic.main([AllergiesModule()])
