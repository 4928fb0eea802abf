print("polyclinic")
